import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../api/call-api.js';
import { texts } from '../texts/texts.js';
import { Button } from '../ui/inputs/button.js';
import { keepSignIn, RETURN_PATH } from './pending-sign-in.js';

const words = texts.signIn;

/** Leads to the issuer, which knows who somebody is. */
export function IssuerButton({ issuer }: { readonly issuer: string }) {
  const { mutate, reset, isPending, isSuccess, error } = useMutation({ mutationFn: beginSignIn });
  useEffect(() => {
    // somebody came back with the browser's own button: the page is as it was left
    const onShow = ({ persisted }: PageTransitionEvent): void => (persisted ? reset() : undefined);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return (
    <div className="mt-1">
      <p className="mb-4 text-soft">{words.issuerIntro}</p>
      <Button
        kind="primary"
        className="h-10! w-full"
        disabled={isPending || isSuccess}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it is what this page is for
        autoFocus
        onClick={() => mutate()}
      >
        <span className="truncate">{words.withIssuer(issuer)}</span>
      </Button>
      <div role="alert">{error !== null && <p className="mt-2 text-failed">{error.message}</p>}</div>
    </div>
  );
}

/** Leaves for the issuer, and comes back to where somebody is now. */
async function beginSignIn(): Promise<void> {
  const redirectUri = location.origin + RETURN_PATH;
  const { address, ...secrets } = await callApi('beginSignIn', { body: { redirectUri } });
  const { pathname, search, hash } = location;
  keepSignIn({ ...secrets, redirectUri, path: pathname + search + hash });
  location.assign(address);
}
