/** What `@tesseract.js-data/eng` holds, which brings no types. */
declare const language: {
  readonly code: "eng";
  readonly gzip: boolean;
  /** The folder of its trained data. */
  readonly langPath: string;
};
export default language;
