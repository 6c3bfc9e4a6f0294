// @ts-types="./pg.d.ts"
import pg from "pg";

export default pg;
