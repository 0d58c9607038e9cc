import { Link } from '@tanstack/react-router';
import { readRuleName } from '../api/flow-queries.js';
import { texts } from '../texts/texts.js';

/** The key of a gate, which leads to its rule and there to the key: `limit/send_mail.accountId/7`. That of a pause leads to it. */
export function GateLink({ gate }: { readonly gate: string }) {
  const [kind, , ...rest] = gate.split('/');
  if (kind === 'pause')
    return (
      <Link to="/queues" className="linked">
        {texts.job.pausedGate}
      </Link>
    );
  const value = rest.length === 0 ? undefined : rest.join('/');
  return (
    <Link
      to="/flow/$kind/$name"
      params={readRuleName(gate)}
      search={{ value: value || undefined, keys: undefined, cursor: undefined }}
      className="linked break-all"
    >
      {gate}
    </Link>
  );
}
