/** The roles that own nothing. Each database gives them their rights; they themselves belong to the server. */
export const DUEWORK_ROLES = ['duework_app', 'duework_worker', 'duework_operator', 'duework_reader'] as const;
export type DueworkRole = (typeof DUEWORK_ROLES)[number];
