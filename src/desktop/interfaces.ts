/** Bits of the AT-SPI interfaces an element implements, as in `native/include/backstep.h`. */
export const Interface = {
  accessible: 1,
  action: 2,
  application: 4,
  collection: 8,
  component: 16,
  document: 32,
  editableText: 64,
  hyperlink: 128,
  hypertext: 256,
  image: 512,
  selection: 1024,
  table: 2048,
  tableCell: 4096,
  text: 8192,
  value: 16384,
} as const;
