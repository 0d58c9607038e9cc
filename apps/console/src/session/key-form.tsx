import { useState, type FormEvent } from 'react';
import { texts } from '../texts/texts.js';
import { Button } from '../ui/inputs/button.js';
import { CopyableLines } from '../ui/copyable-lines.js';
import { startSession } from './session-store.js';

const words = texts.signIn;

/** Asks for an API key. `isOnly`: there is no other way to sign in. */
export function KeyForm({ isOnly }: { readonly isOnly: boolean }) {
  const [key, setKey] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (key.trim() !== '') startSession(key.trim());
  }
  return (
    <section className={isOnly ? '' : 'mt-8 border-t border-line pt-6'}>
      <p className="mb-5 text-soft">{isOnly ? words.intro : words.orKey}</p>
      <form onSubmit={submit} className="flex flex-col gap-1.5">
        <label htmlFor="key" className="font-medium">
          {words.label}
        </label>
        <div className="flex gap-2">
          <input
            id="key"
            type="password"
            value={key}
            onChange={({ target }) => setKey(target.value)}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it is all that this page is for
            autoFocus={isOnly}
            placeholder={words.placeholder}
            className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-3 font-mono text-sm pointer-coarse:h-11"
          />
          <Button kind={isOnly ? 'primary' : 'plain'} type="submit" className="h-9! pointer-coarse:h-11!">
            {words.action}
          </Button>
        </div>
      </form>
      <p className="mt-8 text-soft">{words.hint}</p>
      <CopyableLines text={words.command} />
    </section>
  );
}
