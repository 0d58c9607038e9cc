import { NestFactory } from '@nestjs/core';
import { runWorker } from 'duework/worker';
import { AppModule } from './app.module';
import { collectHandlers } from './jobs/collect-handlers';
import { catalog } from './orders/orders.contracts';

// runs jobs until it is told to stop; deployed beside the server, and without its HTTP
async function main(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule);
  await runWorker({ catalog, handlers: collectHandlers(app, catalog) });
  // its jobs have ended: now the shutdown hooks of the providers run
  await app.close();
}

void main();
