import { expect, test } from '@jest/globals';
import { brandErrors } from './brand-errors.js';
import { ContractError } from './contract-error.js';

/** The class of another copy of the package. */
class OtherCopy extends Error {
  static {
    brandErrors('ContractError', this);
  }
}

test('an error of another copy of the package is recognised', () => {
  expect(new OtherCopy('no')).toBeInstanceOf(ContractError);
  expect(new ContractError('invalid_duration', 'no')).toBeInstanceOf(OtherCopy);
});

test.each([new Error('no'), Object.create(null), null, undefined, 'ContractError', () => {}])(
  'what is no error of the package is not: %p',
  (value) => expect(value instanceof ContractError).toBe(false),
);

test('an error of another class of the package is not', () => {
  class Another extends Error {
    static {
      brandErrors('Another', this);
    }
  }
  expect(new Another('no')).not.toBeInstanceOf(ContractError);
});

test('the errors of a subclass are told apart from others', () => {
  class Special extends OtherCopy {}
  expect(new Special('no')).toBeInstanceOf(Special);
  expect(new Special('no')).toBeInstanceOf(ContractError);
  expect(new OtherCopy('no')).not.toBeInstanceOf(Special);
});
