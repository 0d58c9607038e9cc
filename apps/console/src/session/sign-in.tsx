import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.js';
import { Mark } from '../shell/mark.js';
import { texts } from '../texts/texts.js';
import { usePageTitle } from '../ui/use-page-title.js';
import { IssuerButton } from './issuer-button.js';
import { KeyForm } from './key-form.js';
import { useSession, type Refusal } from './session-store.js';

const words = texts.signIn;
const WHY: Readonly<Record<string, string>> = {
  expired_credentials: words.expired,
  revoked_credentials: words.revoked,
  invalid_credentials: words.refused,
};

/** Asks who somebody is, and says why what was shown before is not enough. `lacking`: it may not read. */
export function SignIn({ lacking }: { readonly lacking?: string }) {
  const { why, state } = useSession();
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => callApi('showSignIn', { signal }),
    staleTime: Infinity,
    retry: false,
  });
  usePageTitle(words.title);
  const problem = lacking ?? (why === null ? null : describe(why));
  const issuer = ways.data?.issuer ?? null;
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-5 py-10">
      <div className="mb-6 flex items-center gap-2.5">
        <Mark />
        <span className="text-lg font-semibold tracking-tight">{texts.app.name}</span>
      </div>
      <h1 className="mb-1 text-xl font-semibold">{words.title}</h1>
      <div role="status">{state === 'arriving' && <p className="text-soft">{words.arriving}</p>}</div>
      {problem !== null && (
        <p role="alert" className="mt-3 rounded-md border border-failed/30 bg-failed-wash px-3 py-2 text-failed">
          {problem}
        </p>
      )}
      {/* what comes first is known once the server has said how people sign in */}
      {state !== 'arriving' && !ways.isPending && (
        <>
          {issuer !== null && <IssuerButton issuer={issuer} />}
          <KeyForm isOnly={issuer === null} />
        </>
      )}
    </main>
  );
}

function describe({ code, detail }: Refusal): string {
  return code === 'sign_in_refused' || code === 'issuer_unavailable' || code === 'unreachable'
    ? `${words.notSignedIn} ${detail}`
    : (WHY[code] ?? words.refused);
}
