import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { Button } from './inputs/button.js';
import { CheckIcon, CopyIcon } from './icons.js';

const SHOWN_MS = 1_600;

/** Copies a text, and says so where it is. `label` names what is copied for screen readers. */
export function CopyButton({ text, label, children }: { text: string; label: string; children?: string }) {
  const [done, setDone] = useState<'copied' | 'failed' | null>(null);
  async function copy(): Promise<void> {
    const end = await navigator.clipboard.writeText(text).then(
      () => 'copied' as const,
      () => 'failed' as const,
    );
    setDone(end);
    setTimeout(() => setDone(null), SHOWN_MS);
  }
  return (
    <>
      <Button kind="quiet" aria-label={children === undefined ? label : undefined} title={label} onClick={copy}>
        {done === 'copied' ? <CheckIcon className="text-succeeded" /> : <CopyIcon />}
        {children}
      </Button>
      <span role="status" className="sr-only">
        {done === null ? '' : texts.copy[done]}
      </span>
    </>
  );
}
