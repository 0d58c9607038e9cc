import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Batch } from '../../api/batch-queries.js';
import { useContracts } from '../../api/use-contracts.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Menu, MenuItem } from '../../ui/inputs/menu.js';
import { CancelBatchDialog } from './cancel-batch-dialog.js';

const words = texts.batch;

/** What may be done to a batch while jobs of it are open: a job is added, or what is left is cancelled. */
export function BatchVerbs({ batch }: { readonly batch: Batch }) {
  const [isCancelling, ask] = useState(false);
  const navigate = useNavigate();
  const contracts = useContracts();
  const mayCancel = useMay('operate') && batch.open > 0;
  const mayAdd = useMay('enqueue') && batch.settledAt === null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {mayAdd && (contracts.data?.length ?? 0) > 0 && (
        <Menu label={words.add}>
          <p className="px-2 pt-1.5 pb-0.5 text-2xs font-medium text-faint">{words.addHint}</p>
          {contracts.data!.map(({ type }) => (
            <MenuItem
              key={type}
              onSelect={() =>
                void navigate({
                  to: '/contracts/$type/enqueue',
                  params: { type },
                  search: { like: undefined, batch: batch.id },
                })
              }
            >
              {type}
            </MenuItem>
          ))}
        </Menu>
      )}
      {mayCancel && (
        <Button kind="danger" onClick={() => ask(true)}>
          {words.cancel}
        </Button>
      )}
      {isCancelling && <CancelBatchDialog batch={batch} onClose={() => ask(false)} />}
    </div>
  );
}
