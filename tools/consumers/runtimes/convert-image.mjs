import { complete, defineIsolated } from 'duework/isolated';
import { convertImage } from './jobs.mjs';

export default defineIsolated(convertImage, async ({ payload, once, progress }) => {
  await progress({ percent: 50 });
  return complete(await once('convert', async () => ({ orderId: payload.orderId })));
});
