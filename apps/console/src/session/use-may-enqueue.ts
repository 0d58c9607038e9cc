import { useMay, usePrincipal } from './use-principal.js';

/** Whether whoever is signed in may enqueue jobs of a type. */
export function useMayEnqueue(type: string): boolean {
  const types = usePrincipal().data?.types;
  return useMay('enqueue') && (types === null || types === undefined || types.includes(type));
}
