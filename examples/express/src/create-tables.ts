import { pool } from './pool.js';

await pool.query(`
  CREATE TABLE IF NOT EXISTS orders (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL,
    cents int NOT NULL,
    receipt_sent_at timestamptz
  )`);
await pool.end();
