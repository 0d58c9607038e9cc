/** A file that a page loads, as it is written into a module of this package. */
export interface PageFile {
  /** Its path below the page. */
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** Compressed, as base64. */
  readonly gzip: string;
}
