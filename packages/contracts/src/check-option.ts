import { ContractError } from './contract-error.js';

/** Throws `invalid_job_option` unless the option of this type of job is as expected. */
export function checkOption(type: string, option: string, value: unknown, isValid: boolean, expected: string): void {
  if (!isValid) {
    throw new ContractError(
      'invalid_job_option',
      `Job ${type}: ${option} must be ${expected}, not ${JSON.stringify(value)}.`,
    );
  }
}

/** The same for a whole number. */
export function checkWhole(
  type: string,
  option: string,
  value: number,
  min: number,
  max: number,
  expected: string,
): void {
  checkOption(type, option, value, Number.isInteger(value) && value >= min && value <= max, expected);
}
