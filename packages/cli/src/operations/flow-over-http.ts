import type { FlowKey, FlowKeyPage, FlowPreview, FlowRuleState } from '@duework/operate';
import type { Ask } from './ask.js';
import type { FlowOperations } from './flow-operations.js';

/** The path of a rule, and the value of its key: `limit/send_mail.accountId/7`. */
function placeOf(key: string): { readonly path: string; readonly value: string | undefined } {
  const [kind = '', name = '', ...rest] = key.split('/');
  const path = `/v1/flow/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`;
  return { path, value: rest.length === 0 ? undefined : rest.join('/') };
}

export function flowOverHttp(ask: Ask): FlowOperations {
  return {
    list: async () => (await ask<{ rules: FlowRuleState[] }>('GET', '/v1/flow')).rules,
    keys: (rule, { limit, after }) =>
      ask<FlowKeyPage>('GET', `${placeOf(rule).path}/keys`, { query: { limit, cursor: after ?? undefined } }),
    preview: (rule, change) => ask<FlowPreview>('POST', `${placeOf(rule).path}/preview`, { body: { change } }),
    change: (rule, change, reason) => ask<FlowRuleState>('PATCH', placeOf(rule).path, { body: { change, reason } }),
    close(key, duration, reason) {
      const { path, value } = placeOf(key);
      return ask<FlowKey>('POST', `${path}/close`, { body: { for: duration, value, reason } });
    },
    open(key, reason) {
      const { path, value } = placeOf(key);
      return ask<FlowKey>('POST', `${path}/open`, { body: { value, reason } });
    },
  };
}
