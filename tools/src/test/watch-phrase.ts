export interface PhraseWatch {
  /** A piece of what is printed; the phrase may be divided between two. */
  take(text: string): void;
  readonly isSeen: boolean;
}

/** Looks for a phrase in what a program prints, a piece at a time. */
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
