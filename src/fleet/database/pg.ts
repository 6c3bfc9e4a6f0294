// @ts-types="./pg-types.d.ts"
import pg from "pg";

export default pg;
