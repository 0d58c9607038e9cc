/** The machine stood still for so long that a call was another one than the case is about; it is measured again. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError';
}
