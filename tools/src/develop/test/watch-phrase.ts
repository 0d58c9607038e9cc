export interface PhraseWatch {
  /** Takes a piece of the output; the phrase may be divided between two pieces. */
  take(text: string): void;
  readonly isSeen: boolean;
}

/** Searches a program's output for a phrase, a piece at a time. */
export function watchPhrase(phrase: string): PhraseWatch {
  let rest = '';
  let isSeen = false;
  return {
    take(text) {
      rest += text;
      isSeen ||= rest.includes(phrase);
      rest = rest.slice(-phrase.length);
    },
    get isSeen() {
      return isSeen;
    },
  };
}
