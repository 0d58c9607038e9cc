import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOrders1 implements MigrationInterface {
  readonly name = 'CreateOrders1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orders (
        id serial PRIMARY KEY,
        email text NOT NULL,
        cents int NOT NULL,
        receipt_sent_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orders');
  }
}
