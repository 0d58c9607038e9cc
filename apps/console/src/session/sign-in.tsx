import { useState, type FormEvent } from 'react';
import { Mark } from '../shell/mark.js';
import { texts } from '../texts/texts.js';
import { Button } from '../ui/button.js';
import { startSession, useSession } from './session-store.js';

const words = texts.signIn;
const WHY: Readonly<Record<string, string>> = {
  expired_credentials: words.expired,
  revoked_credentials: words.revoked,
  invalid_credentials: words.refused,
};

/** Asks for an API key, and says why the one before is not enough. `lacking`: it may not read. */
export function SignIn({ lacking }: { readonly lacking?: string }) {
  const { why } = useSession();
  const [key, setKey] = useState('');
  const problem = lacking ?? (why === null ? null : (WHY[why] ?? words.refused));
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (key.trim() !== '') startSession(key.trim());
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-5 py-10">
      <div className="mb-6 flex items-center gap-2.5">
        <Mark />
        <span className="text-lg font-semibold tracking-tight">{texts.app.name}</span>
      </div>
      <h1 className="text-xl font-semibold">{words.title}</h1>
      <p className="mt-1 mb-5 text-soft">{words.intro}</p>
      {problem !== null && (
        <p role="alert" className="mb-4 rounded-md border border-failed/30 bg-failed-wash px-3 py-2 text-failed">
          {problem}
        </p>
      )}
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
            autoFocus
            placeholder={words.placeholder}
            className="h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-3 font-mono text-sm"
          />
          <Button kind="primary" type="submit" className="h-9!">
            {words.action}
          </Button>
        </div>
      </form>
      <p className="mt-8 text-soft">{words.hint}</p>
      <code className="mt-1.5 block overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs">
        {words.command}
      </code>
    </main>
  );
}
