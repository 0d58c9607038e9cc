import { z } from 'zod';

/** A variable that is a whole number of a range, with what it is when it is not set. */
export function wholeNumber(min: number, max: number, fallback: number) {
  const expected = `must be a whole number from ${min} to ${max}`;
  const isInRange = (value: number): boolean => value >= min && value <= max;
  return z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine(isInRange, expected)
    .default(fallback);
}
