import type { FlowClient, FlowHolder, FlowKey, FlowRuleState } from './flow.js';
import { reviveMoments } from './job.js';
import { pick, type SentRequest } from './send-request.js';
import { toPart } from './to-address.js';

type Send = <T>(request: SentRequest) => Promise<T>;

/** The verbs of `/v1/flow`, over what sends a request and answers with its JSON. */
export function flowClient(send: Send): FlowClient {
  const sendKey = async (request: SentRequest): Promise<FlowKey> => toKey(await send<FlowKey>(request));
  return {
    async list(options = {}) {
      const { rules } = await send<{ rules: FlowRuleState[] }>({ ...pick(options), method: 'GET', path: '/v1/flow' });
      return rules.map((rule) => reviveMoments<FlowRuleState>(rule));
    },
    async get(rule, options = {}) {
      return reviveMoments<FlowRuleState>(
        await send<FlowRuleState>({ ...pick(options), method: 'GET', path: placeOf(rule).path }),
      );
    },
    async keys(rule, { limit, cursor, value, busy } = {}, options = {}) {
      const query = new URLSearchParams();
      if (limit !== undefined) query.set('limit', String(limit));
      if (cursor !== undefined) query.set('cursor', cursor);
      if (value !== undefined) query.set('value', value);
      if (busy !== undefined) query.set('busy', String(busy));
      const path = `${placeOf(rule).path}/keys${query.size === 0 ? '' : `?${query}`}`;
      const page = await send<{ keys: FlowKey[]; nextCursor: string | null }>({
        ...pick(options),
        method: 'GET',
        path,
      });
      return { ...page, keys: page.keys.map(toKey) };
    },
    preview: async (rule, change, options = {}) =>
      send({ ...pick(options), method: 'POST', path: `${placeOf(rule).path}/preview`, body: { change } }),
    async change(rule, change, { reason, ...options } = {}) {
      const body = { change, reason };
      return reviveMoments<FlowRuleState>(
        await send<FlowRuleState>({ ...pick(options), method: 'PATCH', path: placeOf(rule).path, body }),
      );
    },
    async close(key, duration, { reason, ...options } = {}) {
      const { path, value } = placeOf(key);
      const body = { for: duration, value, reason };
      return sendKey({ ...pick(options), method: 'POST', path: `${path}/close`, body });
    },
    async open(key, { reason, ...options } = {}) {
      const { path, value } = placeOf(key);
      return sendKey({ ...pick(options), method: 'POST', path: `${path}/open`, body: { value, reason } });
    },
  };
}

/** The path of a rule, and the value of its key: of `limit/send_mail.accountId/7` that is 7, which may have slashes. */
function placeOf(key: string): { readonly path: string; readonly value: string | undefined } {
  const [kind = '', name = '', ...rest] = key.split('/');
  const path = `/v1/flow/${toPart(kind)}/${toPart(name)}`;
  return { path, value: rest.length === 0 ? undefined : rest.join('/') };
}

const toKey = (sent: FlowKey): FlowKey => ({
  ...reviveMoments<FlowKey>(sent),
  holders: sent.holders.map((holder) => reviveMoments<FlowHolder>(holder)),
});
