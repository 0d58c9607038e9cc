const { complete, defineCatalog, defineJob } = require('duework');
const { z } = require('zod');

const sendReceipt = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });

module.exports = {
  sendReceipt,
  catalog: defineCatalog([sendReceipt]),
  handlers: {
    send_receipt({ payload }) {
      console.log(`done: order ${payload.orderId}`);
      return complete();
    },
  },
};
