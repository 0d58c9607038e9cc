/** The signal that ends the wait of an approval. It is sent by a decision alone: no contract of yours has this name. */
export const APPROVAL_SIGNAL = 'duework.approval';

/** The step in which an approval keeps what it asks, by the name of its wait. */
export const questionOf = (wait: string): string => `${wait}: question`;
