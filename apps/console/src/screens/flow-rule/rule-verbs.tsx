import { useState } from 'react';
import type { FlowRule } from '../../api/flow-queries.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { ChangeDialog } from './change-dialog.js';
import { PutBackDialog } from './put-back-dialog.js';

const words = texts.flow;

/** What may be done to a rule as a whole: what it has no fields of is a matter of its contracts. Each asks first. */
export function RuleVerbs({ rule }: { readonly rule: FlowRule }) {
  const [asked, ask] = useState<'change' | 'putBack' | null>(null);
  if (!useMay('operate') || words.fields[rule.kind] === undefined) return null;
  const close = (): void => ask(null);
  return (
    <div className="flex flex-wrap gap-1.5">
      {rule.changed !== null && <Button onClick={() => ask('putBack')}>{words.putBack}</Button>}
      <Button onClick={() => ask('change')}>{words.change}</Button>
      {asked === 'change' && <ChangeDialog rule={rule} onClose={close} />}
      {asked === 'putBack' && <PutBackDialog rule={rule} onClose={close} />}
    </div>
  );
}
