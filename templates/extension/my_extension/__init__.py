"""An extension of Level Exporter: the generator `my_extension`."""
