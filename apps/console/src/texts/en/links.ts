export const links = {
  label: 'Links elsewhere',
  away: '(opens in another tab)',
};
