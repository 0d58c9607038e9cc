-- An order that is paid later: what it buys is reserved until then, and it can be cancelled.

CREATE TABLE shop.stock (
  article  text    NOT NULL,
  quantity integer NOT NULL,
  CONSTRAINT stock_pkey PRIMARY KEY (article),
  CONSTRAINT stock_quantity_check CHECK (quantity >= 0)
);

ALTER TABLE shop.orders
  DROP CONSTRAINT orders_status_check,
  ADD CONSTRAINT orders_status_check CHECK (status IN ('PENDING', 'PAID', 'CANCELLED')),
  -- when its lines were taken out of the stock; null: they were not, or have been given back
  ADD COLUMN reserved_at timestamptz,
  -- the job that sees the order through, of those that have one
  ADD COLUMN job_id text;
