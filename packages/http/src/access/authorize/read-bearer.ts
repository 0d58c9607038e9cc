/** The token of `Authorization: Bearer …`; null: the request has none. */
export function readBearer(request: Request): string | null {
  const header = request.headers.get('authorization');
  return header === null ? null : (/^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1] ?? null);
}
