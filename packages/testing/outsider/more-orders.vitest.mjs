import * as vitest from 'vitest';
import { testOrders } from './test-orders.mjs';

testOrders(vitest);
