import * as jest from '@jest/globals';
import { testOrders } from './test-orders.mjs';

testOrders(jest);
