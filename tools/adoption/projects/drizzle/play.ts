import { placeOrder } from './place-order.js';

// one order that is rolled back, and one that commits
await placeOrder('bob@example.com', true).catch((error: Error) => console.log(error.message));
console.log('placed', await placeOrder('ada@example.com', false));
process.exit();
