export { createShopDatabase } from './create-shop-database.js';
