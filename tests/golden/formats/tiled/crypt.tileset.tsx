<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="crypt.tileset" tilewidth="16" tileheight="16" spacing="0" margin="0" tilecount="336" columns="16">
<image source="crypt.tileset.png" width="256" height="336"/>
<tile id="0" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="1" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="2" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="16" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="17" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="18" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="19" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="20" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="21" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="22" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="23" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="24" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="25" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="26" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="27" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="28" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="29" type="floor">
<properties>
<property name="id" type="int" value="0"/>
<property name="name" value="floor"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="true"/>
</properties>
</tile>
<tile id="32" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="33" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="34" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="35" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="36" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="37" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="38" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="39" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="40" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="41" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="42" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="43" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="44" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="45" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="46" type="wall">
<properties>
<property name="id" type="int" value="1"/>
<property name="name" value="wall"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="48" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="49" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="50" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="51" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="52" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="53" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="54" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="55" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="56" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="57" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="58" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="59" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="60" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="61" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="62" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="63" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="64" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="65" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="66" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="67" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="68" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="69" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="70" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="71" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="72" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="73" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="74" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="75" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="76" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="77" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="78" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="79" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="80" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="81" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="82" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="83" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="84" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="85" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="86" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="87" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="88" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="89" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="90" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="91" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="92" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="93" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="94" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="95" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="96" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="97" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="98" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="99" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="100" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="101" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="102" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="103" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="104" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="105" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="106" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="107" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="108" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="109" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="110" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="111" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="112" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="113" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="114" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="115" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="116" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="117" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="118" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="119" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="120" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="121" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="122" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="123" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="124" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="125" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="126" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="127" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="128" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="129" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="130" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="131" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="132" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="133" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="134" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="135" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="136" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="137" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="138" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="139" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="140" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="141" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="142" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="143" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="144" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="145" type="water">
<properties>
<property name="id" type="int" value="2"/>
<property name="name" value="water"/>
<property name="opaque" type="bool" value="false"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="259" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="272" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="273" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="274" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="275" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="276" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="277" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="278" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="279" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="280" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="281" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="282" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="283" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="284" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="285" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="286" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="287" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="288" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="289" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="290" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="291" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="292" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="293" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="294" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="295" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="296" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="297" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="298" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="299" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="300" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="301" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="302" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="303" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="304" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="305" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="306" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="307" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="308" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="309" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="310" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="311" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="312" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="313" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="314" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="315" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="316" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="317" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="318" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="319" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="320" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="321" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="322" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<tile id="323" type="tree">
<properties>
<property name="id" type="int" value="3"/>
<property name="name" value="tree"/>
<property name="opaque" type="bool" value="true"/>
<property name="walkable" type="bool" value="false"/>
</properties>
<objectgroup draworder="index">
<object id="1" x="0" y="0" width="16" height="16"/>
</objectgroup>
</tile>
<wangsets>
<wangset name="wall" type="edge" tile="1">
<wangcolor name="wall" color="#6a6480" tile="1" probability="1"/>
<wangtile tileid="32" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="33" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="34" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="35" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="36" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="37" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="38" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="39" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="40" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="41" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="42" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="43" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="44" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="45" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="46" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="1" wangid="1,0,1,0,1,0,1,0"/>
</wangset>
<wangset name="water" type="mixed" tile="2">
<wangcolor name="water" color="#3366cc" tile="2" probability="1"/>
<wangtile tileid="48" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="49" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="50" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="51" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="52" wangid="1,1,1,0,0,0,0,0"/>
<wangtile tileid="53" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="54" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="55" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="56" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="57" wangid="1,1,1,0,1,0,0,0"/>
<wangtile tileid="58" wangid="0,0,1,1,1,0,0,0"/>
<wangtile tileid="59" wangid="1,0,1,1,1,0,0,0"/>
<wangtile tileid="60" wangid="1,1,1,1,1,0,0,0"/>
<wangtile tileid="61" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="62" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="63" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="64" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="65" wangid="1,1,1,0,0,0,1,0"/>
<wangtile tileid="66" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="67" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="68" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="69" wangid="1,0,1,0,1,0,1,0"/>
<wangtile tileid="70" wangid="1,1,1,0,1,0,1,0"/>
<wangtile tileid="71" wangid="0,0,1,1,1,0,1,0"/>
<wangtile tileid="72" wangid="1,0,1,1,1,0,1,0"/>
<wangtile tileid="73" wangid="1,1,1,1,1,0,1,0"/>
<wangtile tileid="74" wangid="0,0,0,0,1,1,1,0"/>
<wangtile tileid="75" wangid="1,0,0,0,1,1,1,0"/>
<wangtile tileid="76" wangid="0,0,1,0,1,1,1,0"/>
<wangtile tileid="77" wangid="1,0,1,0,1,1,1,0"/>
<wangtile tileid="78" wangid="1,1,1,0,1,1,1,0"/>
<wangtile tileid="79" wangid="0,0,1,1,1,1,1,0"/>
<wangtile tileid="80" wangid="1,0,1,1,1,1,1,0"/>
<wangtile tileid="81" wangid="1,1,1,1,1,1,1,0"/>
<wangtile tileid="82" wangid="1,0,0,0,0,0,1,1"/>
<wangtile tileid="83" wangid="1,0,1,0,0,0,1,1"/>
<wangtile tileid="84" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="85" wangid="1,0,0,0,1,0,1,1"/>
<wangtile tileid="86" wangid="1,0,1,0,1,0,1,1"/>
<wangtile tileid="87" wangid="1,1,1,0,1,0,1,1"/>
<wangtile tileid="88" wangid="1,0,1,1,1,0,1,1"/>
<wangtile tileid="89" wangid="1,1,1,1,1,0,1,1"/>
<wangtile tileid="90" wangid="1,0,0,0,1,1,1,1"/>
<wangtile tileid="91" wangid="1,0,1,0,1,1,1,1"/>
<wangtile tileid="92" wangid="1,1,1,0,1,1,1,1"/>
<wangtile tileid="93" wangid="1,0,1,1,1,1,1,1"/>
<wangtile tileid="2" wangid="1,1,1,1,1,1,1,1"/>
</wangset>
<wangset name="tree" type="mixed" tile="259">
<wangcolor name="tree" color="#2f7d32" tile="259" probability="1"/>
<wangtile tileid="272" wangid="0,0,0,0,0,0,0,0"/>
<wangtile tileid="273" wangid="1,0,0,0,0,0,0,0"/>
<wangtile tileid="274" wangid="0,0,1,0,0,0,0,0"/>
<wangtile tileid="275" wangid="1,0,1,0,0,0,0,0"/>
<wangtile tileid="276" wangid="1,1,1,0,0,0,0,0"/>
<wangtile tileid="277" wangid="0,0,0,0,1,0,0,0"/>
<wangtile tileid="278" wangid="1,0,0,0,1,0,0,0"/>
<wangtile tileid="279" wangid="0,0,1,0,1,0,0,0"/>
<wangtile tileid="280" wangid="1,0,1,0,1,0,0,0"/>
<wangtile tileid="281" wangid="1,1,1,0,1,0,0,0"/>
<wangtile tileid="282" wangid="0,0,1,1,1,0,0,0"/>
<wangtile tileid="283" wangid="1,0,1,1,1,0,0,0"/>
<wangtile tileid="284" wangid="1,1,1,1,1,0,0,0"/>
<wangtile tileid="285" wangid="0,0,0,0,0,0,1,0"/>
<wangtile tileid="286" wangid="1,0,0,0,0,0,1,0"/>
<wangtile tileid="287" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="288" wangid="1,0,1,0,0,0,1,0"/>
<wangtile tileid="289" wangid="1,1,1,0,0,0,1,0"/>
<wangtile tileid="290" wangid="0,0,0,0,1,0,1,0"/>
<wangtile tileid="291" wangid="1,0,0,0,1,0,1,0"/>
<wangtile tileid="292" wangid="0,0,1,0,1,0,1,0"/>
<wangtile tileid="293" wangid="1,0,1,0,1,0,1,0"/>
<wangtile tileid="294" wangid="1,1,1,0,1,0,1,0"/>
<wangtile tileid="295" wangid="0,0,1,1,1,0,1,0"/>
<wangtile tileid="296" wangid="1,0,1,1,1,0,1,0"/>
<wangtile tileid="297" wangid="1,1,1,1,1,0,1,0"/>
<wangtile tileid="298" wangid="0,0,0,0,1,1,1,0"/>
<wangtile tileid="299" wangid="1,0,0,0,1,1,1,0"/>
<wangtile tileid="300" wangid="0,0,1,0,1,1,1,0"/>
<wangtile tileid="301" wangid="1,0,1,0,1,1,1,0"/>
<wangtile tileid="302" wangid="1,1,1,0,1,1,1,0"/>
<wangtile tileid="303" wangid="0,0,1,1,1,1,1,0"/>
<wangtile tileid="304" wangid="1,0,1,1,1,1,1,0"/>
<wangtile tileid="305" wangid="1,1,1,1,1,1,1,0"/>
<wangtile tileid="306" wangid="1,0,0,0,0,0,1,1"/>
<wangtile tileid="307" wangid="1,0,1,0,0,0,1,1"/>
<wangtile tileid="308" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="309" wangid="1,0,0,0,1,0,1,1"/>
<wangtile tileid="310" wangid="1,0,1,0,1,0,1,1"/>
<wangtile tileid="311" wangid="1,1,1,0,1,0,1,1"/>
<wangtile tileid="312" wangid="1,0,1,1,1,0,1,1"/>
<wangtile tileid="313" wangid="1,1,1,1,1,0,1,1"/>
<wangtile tileid="314" wangid="1,0,0,0,1,1,1,1"/>
<wangtile tileid="315" wangid="1,0,1,0,1,1,1,1"/>
<wangtile tileid="316" wangid="1,1,1,0,1,1,1,1"/>
<wangtile tileid="317" wangid="1,0,1,1,1,1,1,1"/>
<wangtile tileid="259" wangid="1,1,1,1,1,1,1,1"/>
<wangtile tileid="322" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="323" wangid="0,0,1,0,0,0,1,0"/>
<wangtile tileid="320" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="321" wangid="1,1,1,0,0,0,1,1"/>
<wangtile tileid="318" wangid="1,1,1,1,1,1,1,1"/>
<wangtile tileid="319" wangid="1,1,1,1,1,1,1,1"/>
</wangset>
</wangsets>
</tileset>
