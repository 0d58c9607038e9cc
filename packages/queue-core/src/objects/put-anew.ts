/** Writes the JSON of a payload as a new object; its key, and what its row is to hold. Throws as `putObject`. */
export async function putAnew(json: string): Promise<{ readonly key: string; readonly stored: string }> {
  const { newKey, putJson } = await import('./put-object.js');
  const key = newKey();
  return { key, stored: JSON.stringify(await putJson(key, json)) };
}
