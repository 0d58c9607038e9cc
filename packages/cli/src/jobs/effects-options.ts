import { Option } from 'commander';

/** What a person has found out about effects of which it is unknown whether they happened. Neither given: nothing. */
export const effectsOptions = (): readonly Option[] => [
  new Option('--effects-happened', 'you have checked: the unknown effects happened, so do not repeat them'),
  new Option('--no-effects-happened', 'you have checked: they did not happen, so do them again'),
];
