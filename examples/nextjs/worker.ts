import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs';
import { prisma } from './lib/prisma';

// runs jobs until it is told to stop; deployed beside the server, and never a part of it
void runWorker({ catalog, handlers }).finally(() => prisma.$disconnect());
