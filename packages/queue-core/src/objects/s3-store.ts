import { Readable } from 'node:stream';
import { cutInParts } from './cut-in-parts.js';
import type { ObjectStore } from './object-store.js';

type Part = { partNumber: number; etag: string };

/** What is used of a client: `S3mini` of the package `s3mini` has it. */
export interface S3Client {
  putObject(key: string, content: Buffer, type: string): Promise<unknown>;
  getObjectResponse(key: string): Promise<{ readonly body: unknown } | null>;
  deleteObjects(keys: string[]): Promise<boolean[]>;
  listObjectsPaged(
    delimiter: string,
    prefix: string,
    most: number,
    after?: string,
  ): Promise<
    | { objects: { Key: string; LastModified: Date }[] | null; nextContinuationToken?: string | undefined }
    | undefined
    | null
  >;
  getMultipartUploadId(key: string, type: string): Promise<string>;
  uploadPart(key: string, upload: string, content: Buffer, part: number): Promise<Part>;
  completeMultipartUpload(key: string, upload: string, parts: Part[]): Promise<unknown>;
  abortMultipartUpload(key: string, upload: string): Promise<unknown>;
}

export interface S3StoreOptions {
  /** Comes before every key; default: none. Give each database a prefix, or a bucket, of its own. */
  readonly prefix?: string;
}

/** What is in memory of an object at a time; the protocol allows 10,000 parts of 5 MiB at least. */
const PART_BYTES = 8 * 1024 ** 2;

/**
 * A store in a bucket of S3's protocol, through a client of the package `s3mini`, which you make with your keys:
 * `s3Store(new S3mini({ endpoint, region, accessKeyId, secretAccessKey }))`.
 */
export function s3Store(client: S3Client, { prefix = '' }: S3StoreOptions = {}): ObjectStore {
  return {
    async put(key, content, { signal }) {
      const parts = cutInParts(content, PART_BYTES);
      const first = await parts.next();
      signal.throwIfAborted();
      if (first.value!.length < PART_BYTES) return void (await client.putObject(prefix + key, first.value!, TYPE));
      await putInParts(client, prefix + key, first.value!, parts, signal);
    },
    async get(key) {
      const response = await client.getObjectResponse(prefix + key);
      return response === null ? null : Readable.fromWeb(response.body as never);
    },
    async delete(keys) {
      const deleted = await client.deleteObjects(keys.map((key) => prefix + key));
      if (deleted.includes(false)) throw new Error(`${deleted.filter((one) => !one).length} objects were not deleted`);
    },
    async *list(under, { signal }) {
      let after: string | undefined;
      do {
        signal.throwIfAborted();
        const page = await client.listObjectsPaged('/', prefix + under, 1_000, after);
        for (const { Key, LastModified } of page?.objects ?? [])
          yield { key: Key.slice(prefix.length), putAt: new Date(LastModified) };
        after = page?.nextContinuationToken;
      } while (after !== undefined);
    },
  };
}

const TYPE = 'application/octet-stream';

async function putInParts(
  client: S3Client,
  key: string,
  first: Buffer,
  others: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const upload = await client.getMultipartUploadId(key, TYPE);
  try {
    const parts = [await client.uploadPart(key, upload, first, 1)];
    for await (const bytes of others) {
      signal.throwIfAborted();
      if (bytes.length > 0) parts.push(await client.uploadPart(key, upload, bytes, parts.length + 1));
    }
    await client.completeMultipartUpload(key, upload, parts);
  } catch (error) {
    await client.abortMultipartUpload(key, upload).catch(() => {});
    throw error;
  }
}
