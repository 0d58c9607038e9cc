/** A file that the page at /docs loads. */
export interface DocsFile {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  /** Compressed, as base64. */
  readonly gzip: string;
}
