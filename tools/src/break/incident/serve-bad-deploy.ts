/** The shop's worker, of a version that reads what no receipt has. */
import { defineCatalog } from '@duework/contracts';
import { sendReceipt } from '@duework/shop';
import { runWorker } from '@duework/worker';

interface Customer {
  readonly address: { readonly email: string };
}

await runWorker({
  catalog: defineCatalog([sendReceipt]),
  codeVersion: '2.0.0',
  handlers: {
    send_receipt({ payload }) {
      const { customer } = payload as unknown as { readonly customer?: Customer };
      throw new Error(`There is no mail to ${customer!.address.email}.`);
    },
  },
});
