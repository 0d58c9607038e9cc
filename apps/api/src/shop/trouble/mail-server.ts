const ANSWER_MS = 2_000;

/** The mailbox, as the shop's page asks it. */
export interface MailServer {
  /** Until when it refuses mails; null: it takes them. undefined: it does not answer. */
  readonly refusedUntil: () => Promise<Date | null | undefined>;
  /** False: it does not answer. */
  readonly refuse: (seconds: number) => Promise<boolean>;
  readonly accept: () => Promise<boolean>;
}

/** The mailbox whose own page is at this address. */
export function openMailServer(mailboxUrl: string): MailServer {
  const ask = async (method: string, body?: object): Promise<Response | null> => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const init = { method, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(new URL('/api/refusal', mailboxUrl), init).catch(() => null);
    return response?.ok === true ? response : null;
  };
  return {
    async refusedUntil() {
      const answer = await ask('GET');
      if (answer === null) return undefined;
      const { until } = (await answer.json()) as { readonly until: string | null };
      return until === null ? null : new Date(until);
    },
    refuse: async (seconds) => (await ask('PUT', { seconds })) !== null,
    accept: async () => (await ask('DELETE')) !== null,
  };
}
