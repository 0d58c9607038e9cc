const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-[0-9a-f]{12}$/;

/**
 * Reads when a mail arrived from its id, as an ISO 8601 time. Returns null for anything that is not an id: what
 * passes here holds only digits, letters and a dash, so it names a file inside the folder and nothing else.
 */
export function parseMailId(id: string): string | null {
  const parts = pattern.exec(id);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second, millisecond] = parts;
  const receivedAt = `${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
  return Number.isNaN(Date.parse(receivedAt)) ? null : receivedAt;
}
