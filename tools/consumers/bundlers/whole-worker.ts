import { heartbeatInThread } from 'duework/worker';

// the file of the thread is not beside a bundle: the error says what to do
heartbeatInThread({ url: 'postgres://127.0.0.1:1/none', catalog: [] })
  .start('bundled', () => {})
  .then(
    () => process.exit(1),
    (error) => {
      console.log(error);
      process.exit(error.code === 'bundled_away' ? 0 : 1);
    },
  );
