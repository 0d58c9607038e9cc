import { en, type Texts } from './en.js';

/** The texts of the language in use. */
export const texts: Texts = en;
