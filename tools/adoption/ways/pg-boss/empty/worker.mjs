import { boss } from './boss.mjs';

await boss.work('send_receipt', async ([job]) => {
  console.log('receipt of order', job.data.orderId);
});
