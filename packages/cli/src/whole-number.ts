import { InvalidArgumentError } from 'commander';

/** For commander: a whole number from 1 to 1000, which bounds every table. Throws `InvalidArgumentError`. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 1_000)
    throw new InvalidArgumentError('It is a whole number from 1 to 1000.');
  return Number(text);
}
