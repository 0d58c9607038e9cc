/** Minutes of the day, in a time zone. */
export interface HoursOfDay {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** `22:00-07:00@Europe/Berlin`; without a zone UTC. null: it is something else. */
export function readHoursOfDay(text: string): HoursOfDay | null {
  const parts = /^(\d\d?):(\d\d)-(\d\d?):(\d\d)(?:@(.+))?$/.exec(text);
  if (parts === null) return null;
  const zone = parts[5] ?? 'UTC';
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    return null;
  }
  const [, fromHour, fromMinute, toHour, toMinute] = parts.map(Number);
  return { from: fromHour! * 60 + fromMinute!, to: toHour! * 60 + toMinute!, zone };
}

/** For how many minutes of them there is still time; 0: it is another time of the day. */
export function minutesLeft({ from, to, zone }: HoursOfDay, now: Date): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(now);
  const [hour, minute] = clock.split(':').map(Number);
  const at = hour! * 60 + minute!;
  const isIn = from <= to ? at >= from && at < to : at >= from || at < to;
  return isIn ? (to - at + 1_440) % 1_440 : 0;
}
