export const batch = {
  title: 'Batch',
  ended: 'Jobs of the batch that have ended',
  progress: (ended: string, jobs: string) => `${ended} of ${jobs} ended`,
  dead: (count: string) => `${count} dead`,
  cancelled: (count: string) => `${count} cancelled`,
  callbacks: {
    onSettled: 'enqueued when all had ended',
    onSucceeded: 'enqueued when all had succeeded',
    onFirstDead: 'enqueued when the first was dead',
  },
  cancel: 'Cancel the batch',
  cancelTitle: 'Cancel what is left of the batch?',
  cancelWords: (open: string) =>
    `${open} of its jobs have not ended: those that wait are cancelled, and the workers of those that run are asked to abort them.`,
};
