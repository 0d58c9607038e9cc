/** The seller on every invoice. */
export const seller = {
  name: 'Duework Shop',
  address: ['1 Queue Street', '10115 Berlin', 'Germany'],
  email: 'shop@duework.local',
} as const;
