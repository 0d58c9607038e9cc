export interface BringBackOptions {}
export interface BroughtBack {}
export const bringBack = 1;
