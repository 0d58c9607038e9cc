/** What a link may name, of a job or a worker; null: it has none. */
export type LinkValues = Readonly<Partial<Record<'id' | 'type' | 'queue' | 'traceId' | 'workerId', string | null>>>;

/** The address with its names replaced; null: it names something that is not there. */
export function fillLink(href: string, values: LinkValues): string | null {
  let isWhole = true;
  const filled = href.replaceAll(/\{(\w+)\}/g, (_, name: keyof LinkValues) => {
    const value = values[name] ?? '';
    isWhole &&= value !== '';
    return encodeURIComponent(value);
  });
  return isWhole ? filled : null;
}

/** The id of the trace in a `traceparent`; null: there is none. */
export const readTraceId = (traceparent: string | undefined): string | null =>
  /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? '')?.[1] ?? null;
