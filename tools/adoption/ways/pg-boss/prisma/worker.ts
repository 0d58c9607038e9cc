import { boss } from './boss.js';

await boss.work<{ orderId: number }>('send_receipt', async ([job]) => {
  console.log('receipt of order', job!.data.orderId);
});
