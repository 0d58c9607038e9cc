/** A stream in parts of this length, the last of which is shorter; one without content has one part. */
export async function* cutInParts(content: AsyncIterable<unknown>, length: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const given of content) {
    let chunk = given as Buffer;
    while (bytes + chunk.length >= length) {
      yield Buffer.concat([...chunks, chunk.subarray(0, length - bytes)]);
      chunk = chunk.subarray(length - bytes);
      [chunks, bytes] = [[], 0];
    }
    chunks.push(chunk);
    bytes += chunk.length;
  }
  // always one that is shorter, by which a reader knows the end
  yield Buffer.concat(chunks);
}
