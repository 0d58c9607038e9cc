const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Writes an ISO time for people, in the time zone of the mailbox, which is this computer's. */
export function formatTime(isoTime: string): string {
  return format.format(new Date(isoTime));
}
